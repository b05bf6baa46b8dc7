import type { ReactElement } from "react";
import { Trans } from "react-i18next/TransWithoutContext";
import type { Catalogs, Namespace } from "./catalogs";
import { i18n } from "./index";
import type { MessageKey } from "./translation";

interface Props<N extends Namespace> {
  namespace: N;
  id: MessageKey<Catalogs[N]>;
  values?: Record<string, string | number>;
  /** The element of each tag in the message: `<to>…</to>` takes `parts.to`. A tag with the name of a void HTML element, such as link, loses its text. */
  parts: Record<string, ReactElement>;
}

/** A message with elements in it, such as links. Use `messages(namespace)` in the same module, so that the namespace is loaded. */
export function RichText<N extends Namespace>({ namespace, id, values, parts }: Props<N>) {
  return <Trans i18n={i18n} ns={namespace} i18nKey={id as never} components={parts} {...(values && { values })} />;
}
