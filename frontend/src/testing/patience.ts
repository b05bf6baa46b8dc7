// Tests wait for a condition. The limit is high, so that no test fails because the machine is busy.
import { configure, prettyDOM } from "@testing-library/react";

/** An error of a query. The document is written into its message when that is read: a wait drops most of its errors unread. */
function elementError(message: string | null, container: Element): Error {
  const error = new Error();
  let text: string | undefined;
  Object.defineProperty(error, "message", { configurable: true, get: () => (text ??= [message, prettyDOM(container)].filter(Boolean).join("\n\n")) });
  error.name = "TestingLibraryElementError";
  return error;
}

configure({ asyncUtilTimeout: 30_000, getElementError: elementError });
