import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { messages } from "@/messages";
import { matching, type Entry, type Group } from "./apiDocument";
import styles from "./OperationList.module.css";

const t = messages("apidocs");

const addressOf = ({ id }: Entry) => `/api-docs?operation=${encodeURIComponent(id)}`;

interface Props {
  groups: readonly Group[];
  chosen: string | null;
}

/** The operations by group, with a search. Enter in the search opens the first one found. */
export function OperationList({ groups, chosen }: Props) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    // The link back to the list, which had the focus, is gone.
    if (before.current !== null && chosen === null && document.activeElement === document.body)
      field.current?.focus();
    before.current = chosen;
  }, [chosen]);
  const navigate = useNavigate();
  const found = matching(groups, text);
  const count = found.reduce((sum, { entries }) => sum + entries.length, 0);
  const isSearch = text.trim() !== "";
  const openFirst = (event: React.SubmitEvent) => {
    event.preventDefault();
    const first = found[0]?.entries[0];
    if (isSearch && first) void navigate(addressOf(first));
  };
  return (
    <nav className={styles.list} aria-label={t("operations")}>
      <form role="search" onSubmit={openFirst}>
        <input
          ref={field}
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status" className={styles.count}>
          {t("count", { count })}
        </p>
      </form>
      <div lang="en">
        {found.map((group) => (
          <OperationGroup key={group.name} group={group} chosen={chosen} open={isSearch} />
        ))}
      </div>
    </nav>
  );
}

/** The operations of a group; folded unless the chosen one is among them, or somebody searches. */
function OperationGroup({ group: { name, about, entries }, chosen, open }: { group: Group; chosen: string | null; open: boolean }) {
  const hasChosen = entries.some(({ id }) => id === chosen);
  return (
    <details open={open || hasChosen} className={styles.group}>
      <summary>
        <span>{name}</span> <span className={styles.count}>{entries.length}</span>
      </summary>
      <p className={styles.about}>{about}</p>
      <ul>
        {entries.map((entry) => (
          <OperationLink key={entry.id} entry={entry} current={entry.id === chosen} />
        ))}
      </ul>
    </details>
  );
}

/** A link to an operation; the current one is scrolled into the visible part of the list. */
function OperationLink({ entry, current }: { entry: Entry; current: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) link.current?.scrollIntoView?.({ block: "nearest" });
  }, [current]);
  return (
    <li>
      <Link ref={link} to={addressOf(entry)} aria-current={current ? "page" : undefined}>
        <span className={styles.method}>{entry.method.toUpperCase()}</span>
        <span>{entry.operation.summary}</span>
      </Link>
    </li>
  );
}
