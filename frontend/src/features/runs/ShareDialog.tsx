import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "@/api/queries";
import { createShare, type Share } from "@/api/generated";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Dialog } from "@/components/Dialog";
import { formatTime } from "@/components/format";
import { Note } from "@/components/Status";
import styles from "./ShareDialog.module.css";
import { ShareList } from "./ShareList";

const DAYS = [7, 30, 90, 365];

/** The dialog that creates a read-only link to a result, shows it once, and lists the earlier links. */
export function ShareDialog({ runId, open, onClose }: { runId: string; open: boolean; onClose: () => void }) {
  const [days, setDays] = useState(30);
  const client = useQueryClient();
  const make = useMutation({ mutationFn: () => createShare({ path: { run_id: runId }, body: { expires_in_days: days } }), onSuccess: () => client.invalidateQueries({ queryKey: queries.shares(runId).queryKey }) });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog
      title="Share this result"
      open={open}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Close</Button>
          {!make.data && (
            <Button kind="primary" busy={make.isPending} onClick={() => make.mutate()}>
              Create link
            </Button>
          )}
        </>
      }
    >
      <p>Anyone with the link can read this result: charts, table, evidence counts and environment, without the host’s name, raw output or other runs.</p>
      {make.data ? (
        <Link share={make.data} />
      ) : (
        <label className={styles.days}>
          The link works for
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {each} days
              </option>
            ))}
          </select>
        </label>
      )}
      {make.error && <Note tone="bad">{make.error.message}</Note>}
      {open && <ShareList runId={runId} />}
    </Dialog>
  );
}

function Link({ share }: { share: Share }) {
  const url = new URL(share.url, window.location.origin).href;
  return (
    <div className={styles.link}>
      <input readOnly value={url} aria-label="Share link" onFocus={(event) => event.target.select()} />
      <CopyButton text={url} label="Copy link" kind="primary" />
      <p>The link is shown only once. It works until {formatTime(share.expires_at)}.</p>
    </div>
  );
}
