/** The parts of swagger-ui-dist that the page uses; the package has no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export type Component = (props: never) => unknown;
  export interface System {
    /** The copy of React that is part of the bundle. */
    React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown };
    getComponent: (name: string, container?: boolean) => unknown;
  }
  export type Plugin = (system: System) => {
    components?: Record<string, Component>;
    wrapComponents?: Record<string, (original: Component) => Component>;
  };
  export default function SwaggerUI(options: {
    domNode: HTMLElement;
    spec: object;
    layout: string;
    plugins: Plugin[];
    docExpansion: "none" | "list" | "full";
    validatorUrl: null;
    supportedSubmitMethods: string[];
    syntaxHighlight: { activated: boolean };
    displayRequestDuration: boolean;
    requestInterceptor: (request: object) => object;
    defaultModelExpandDepth: number;
  }): unknown;
}
