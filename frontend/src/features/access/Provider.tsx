import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { Note } from "@/components/Status";
import { failureText } from "@/components/providerFailures";
import { messages } from "@/messages";
import { returnPath } from "./returnPath";
import styles from "./SignIn.module.css";

const t = messages("access");

/** The link that signs in by the server's identity provider; nothing where it has none. A plain link: the provider is another site. */
export function ProviderLink() {
  const methods = useQuery(queries.signInMethods());
  const provider = methods.data?.provider;
  if (!provider) return null;
  const to = returnPath() ?? window.location.pathname + window.location.search;
  return (
    <p>
      <a className={styles.provider} href={`${provider.url}?to=${encodeURIComponent(to)}`}>{t("signInWith", { provider: provider.name })}</a>
    </p>
  );
}

/** Why the last sign-in by the provider failed, by the code in the page's address. */
export function ProviderFailure() {
  const code = new URLSearchParams(window.location.search).get("failed");
  if (code === null) return null;
  return <Note tone="warn">{failureText(code)}</Note>;
}
