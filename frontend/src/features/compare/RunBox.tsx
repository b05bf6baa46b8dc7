import { useState } from "react";
import { Combobox, type Option } from "@/components/Combobox";
import { formatZonedTime } from "@/components/format";
import { messages } from "@/messages";
import { proposals, type Listed } from "./choice";
import { useComparable } from "./useComparable";

const t = messages("compare");

interface Props {
  label: string;
  labelHidden?: boolean;
  value: Option | null;
  /** The run that it is compared with: runs of its experiment come first. */
  other?: Listed | undefined;
  /** Whether the other run itself can be chosen. */
  same?: boolean;
  /** Ids of runs that are not offered. */
  taken?: readonly string[];
  onChoose: (id: string | null) => void;
}

/** A box that finds any run that can be compared; the server searches. */
export function RunBox({ label, labelHidden = false, value, other, same = false, taken = [], onChoose }: Props) {
  const [text, setText] = useState("");
  const [wasOpen, setOpen] = useState(false);
  const { runs, loading, failed, note, retry } = useComparable(text, other, wasOpen);
  const found = proposals(runs, other);
  const groups = [
    [t("sameRun"), same && other && text === "" ? [other] : []],
    [t("sameExperiment"), found.same],
    [t("sameName"), found.alike],
    [t("otherRuns"), found.others],
  ] as const;
  const options = groups.flatMap(([group, members]) => members.filter(({ id }) => !taken.includes(id)).map((run) => ({ value: run.id, label: run.title, detail: whereAndWhen(run), ...(other && { group }) })));
  return (
    <Combobox
      label={label}
      labelHidden={labelHidden}
      options={options}
      loading={loading}
      failure={failed ? t("runsNotLoaded") : null}
      note={note}
      placeholder={t("searchRuns")}
      value={value}
      onSearch={setText}
      onOpenChange={(open) => {
        setOpen(true);
        if (open && failed) retry();
        if (!open) setText("");
      }}
      onChange={(option) => onChoose(option?.value ?? null)}
    />
  );
}

/** The host of a run, and when it was started. */
export function whereAndWhen({ host, created_at }: Listed): string {
  return t("runOnHostAt", { host, at: formatZonedTime(created_at) });
}
