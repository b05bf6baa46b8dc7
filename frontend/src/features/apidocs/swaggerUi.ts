/** Swagger UI, reduced to the parameters, body and responses of one operation. */
import SwaggerUI, { type Component, type Plugin, type System } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { ApiDocument } from "./apiDocument";

interface FieldProps {
  /** The name of the parameter. */
  description?: string;
  schema?: { get: (key: string) => unknown };
}

/** Without title, servers, schemas and tags: the page around it has its own, and there is one `main`. */
const onlyOperation: Plugin = ({ React }) => ({
  components: {
    OnlyOperation: ({ getComponent }: System) =>
      React.createElement("div", { className: "swagger-ui" }, React.createElement(getComponent("operations", true))),
    OperationTag: ({ children }: { children: unknown }) => children,
    OperationSummary: () => null,
  },
});

/** Names what has no name: the field of a parameter, the choice of an example, an example that scrolls. */
const named: Plugin = ({ React }) => ({
  wrapComponents: {
    HighlightCode: (Code: Component) => (props: object) =>
      React.createElement("div", { className: "example-code", role: "group", "aria-label": "Code", tabIndex: 0 }, React.createElement(Code, props)),
    ExamplesSelect: (Choice: Component) => (props: object) =>
      React.createElement("label", null, React.createElement("span", { className: "visually-hidden" }, "Example"), React.createElement(Choice, props)),
    JsonSchemaForm: (Field: Component) => (props: FieldProps) => {
      const field = React.createElement(Field, props);
      const type = props.schema?.get("type");
      if (!props.description || type === "array" || type === "object") return field;
      const name = React.createElement("span", { className: "visually-hidden" }, props.description);
      return React.createElement("label", null, name, field);
    },
  },
});

/** Draws a document with one operation into an element. Requests that are tried go to this origin, with the session. */
export function mount(domNode: HTMLElement, spec: ApiDocument, canTry: boolean): void {
  SwaggerUI({
    domNode,
    spec,
    layout: "OnlyOperation",
    plugins: [onlyOperation, named],
    docExpansion: "full",
    // Nothing is sent to another origin.
    validatorUrl: null,
    supportedSubmitMethods: canTry ? ["get"] : [],
    syntaxHighlight: { activated: false },
    displayRequestDuration: true,
    // The command line that is shown afterwards is one of a script, which has no session.
    requestInterceptor: (request) => Object.assign(request, { curlOptions: ['-H "Authorization: Bearer $PLIMSOLL_TOKEN"'] }),
    defaultModelExpandDepth: 2,
  });
}
