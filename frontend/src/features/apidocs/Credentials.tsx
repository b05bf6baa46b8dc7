import { Link } from "react-router";
import { Card } from "@/components/Card";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./ApiDocsPage.module.css";
import { Command } from "./Command";

const t = messages("apidocs");

/** How scripts authenticate, and what can be tried on the page. */
export function Credentials() {
  const first = [
    `curl '${window.location.origin}/api/v1/runs?limit=3'`,
    '-H "Authorization: Bearer $PLIMSOLL_TOKEN"',
  ].join(" \\\n  ");
  return (
    <Card title={t("scripts")}>
      <div className={styles.text}>
        <p>
          <RichText namespace="apidocs" id="token" parts={{ to: <Link to="/account#tokens" /> }} />
        </p>
        <Command text={first} />
        <p>{t("tryNote")}</p>
      </div>
    </Card>
  );
}
