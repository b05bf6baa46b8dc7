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

/** Which run this one extends, and which runs extend it. */
export function Extensions({ run }: { run: Run }) {
  const found = useQuery({ ...queries.extensions(run.id), enabled: isTerminal(run.state) && !run.extension && run.origin === "measured" });
  const { extension } = run;
  return (
    <>
      {extension && (
        <Note tone="info">
          <RichText namespace="runs" id="extensionOf" values={{ number: extension.number, rounds: extension.rounds }} parts={{ run: <Link to={runHref(extension.run_id)} /> }} />
        </Note>
      )}
      {found.data && found.data.length > 0 && (
        <Note tone="info">
          <p>{t("extendedBy", { count: found.data.length })}</p>
          <ul>
            {found.data.map((each) => (
              <li key={each.id}>
                <Link to={runHref(each.id)}>{t("extensionEntry", { number: each.extension?.number ?? 0, rounds: each.extension?.rounds ?? 0, time: formatZonedTime(each.created_at) })}</Link>
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}
