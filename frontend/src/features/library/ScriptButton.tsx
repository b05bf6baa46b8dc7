import { useState } from "react";
import { Button } from "@/components/Button";
import { CopyAsCode } from "@/components/CopyAsCode";
import { Dialog } from "@/components/Dialog";
import { messages } from "@/messages";
import { PAGE, searchRequest } from "./searchRequest";

const t = messages("library");

/** A button that shows the search of the page as a command and as a program. */
export function ScriptButton({ query }: { query: string }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="ghost" onClick={() => setOpen(true)}>
        {t("byScript")}
      </Button>
      <Dialog
        title={t("byScriptTitle")}
        open={open}
        onClose={close}
        actions={<Button onClick={close}>{t("close")}</Button>}
      >
        <p>{t("byScriptNote", { count: PAGE })}</p>
        <CopyAsCode {...searchRequest(query)} />
      </Dialog>
    </>
  );
}
