import { useState } from "react";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./CopyAsCode.module.css";
import { CopyButton } from "./CopyButton";
import { curlOf, pythonOf, type CodeRequest } from "./requestCode";
import { Toggle } from "./Toggle";

const t = messages("common");

const KINDS = [
  { value: "curl", label: "curl" },
  { value: "python", label: "Python" },
] as const;

/** A request to this server as a command for curl and a program in Python, to be copied. */
export function CopyAsCode(request: Omit<CodeRequest, "origin">) {
  const [kind, setKind] = useState<"curl" | "python">("curl");
  const written = kind === "curl" ? curlOf : pythonOf;
  const code = written({ ...request, origin: window.location.origin });
  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <Toggle label={t("codeKind")} options={KINDS} value={kind} onChange={setKind} />
        <CopyButton
          kind="plain"
          text={code}
          label={t(kind === "curl" ? "copyAsCurl" : "copyAsPython")}
        />
      </div>
      <p className={styles.note}>
        <RichText namespace="common" id="codeToken" parts={{ code: <code /> }} />
      </p>
      <pre tabIndex={0} role="region" aria-label={t(kind === "curl" ? "codeCurl" : "codePython")}>
        <code>{code}</code>
      </pre>
    </div>
  );
}
