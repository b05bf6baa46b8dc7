import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Run } from "@/api/generated";
import { queries } from "@/api/queries";
import { isTerminal } from "@/api/states";
import { formatZonedTime } from "@/components/format";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import { runHref } from "./links";

const t = messages("runs");

/** Which run this one extends. */
export function ExtensionOf({ run: { extension } }: { run: Run }) {
  if (!extension) return null;
  return (
    <Note tone="info">
      <RichText
        namespace="runs"
        id="extensionOf"
        values={{ number: extension.number, rounds: extension.rounds }}
        parts={{ run: <Link to={runHref(extension.run_id)} /> }}
      />
    </Note>
  );
}

/** The runs that extend this one, below its result: they are requested after it. */
export function Extensions({ run }: { run: Run }) {
  const canBeExtended = isTerminal(run.state) && !run.extension && run.origin === "measured";
  const found = useQuery({ ...queries.extensions(run.id), enabled: canBeExtended });
  if (!found.data || found.data.length === 0) return null;
  return (
    <Note tone="info">
      <p>{t("extendedBy", { count: found.data.length })}</p>
      <ul>
        {found.data.map(({ id, extension, created_at: at }) => (
          <li key={id}>
            <Link to={runHref(id)}>
              {t("extensionEntry", {
                number: extension?.number ?? 0,
                rounds: extension?.rounds ?? 0,
                time: formatZonedTime(at),
              })}
            </Link>
          </li>
        ))}
      </ul>
    </Note>
  );
}
