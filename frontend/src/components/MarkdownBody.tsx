import Markdown, { type Components } from "react-markdown";

/** A heading of a note is no heading of the page. */
const Heading = ({ children }: { children?: React.ReactNode }) => (
  <p>
    <strong>{children}</strong>
  </p>
);
const COMPONENTS: Components = { h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading, a: ({ href, children }) => <a href={href} rel="noreferrer nofollow ugc">{children}</a> };

/** Markdown as elements. HTML in it is shown as text, and addresses of other schemes than http, https and mailto are removed. */
export default function MarkdownBody({ text }: { text: string }) {
  return (
    <Markdown disallowedElements={["img"]} unwrapDisallowed components={COMPONENTS}>
      {text}
    </Markdown>
  );
}
