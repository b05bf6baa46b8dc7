import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";
import { ApiError } from "@/api/errors";
import { messages } from "@/messages";
import { Failure } from "./Status";

const t = messages("common");

/** The code of a part could not be loaded. */
class NotLoaded extends ApiError {
  constructor() {
    super(0, "not_loaded", t("pageNotLoaded"), t("partNotLoaded"));
  }
}

interface BoundaryProps {
  retry: () => void;
  children: ReactNode;
}

/** Shows a failure in place of a part whose code could not be loaded; any other error goes on to the page. */
class Boundary extends Component<BoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!(error instanceof NotLoaded)) throw error;
    return <Failure error={error} retry={this.props.retry} />;
  }
}

/**
 * Returns a component whose code is loaded when it is first shown, or by its `preload`, and `fallback` until then. Where
 * the code cannot be loaded, only this part says so and offers to try again: the rest of the page keeps its state.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loaded = async () => (kept.loaded = await load());
  const make = (): ComponentType<Props> =>
    lazy<ComponentType<Props>>(async () => {
      try {
        return { default: await loaded() };
      } catch {
        // React keeps a rejection for good: what is shown next has a new attempt.
        kept.part = make();
        throw new NotLoaded();
      }
    });
  const kept: { part: ComponentType<Props>; loaded?: ComponentType<Props> } = { part: make() };
  function OnDemand({ fallback, ...props }: Props & { fallback: ReactNode }) {
    // What is loaded is rendered at once: a lazy part would show its fallback for a moment.
    const [{ Part, attempt }, setState] = useState({ Part: kept.loaded ?? kept.part, attempt: 0 });
    return (
      <Boundary key={attempt} retry={() => setState({ Part: kept.part, attempt: attempt + 1 })}>
        <Suspense fallback={fallback}>
          <Part {...(props as unknown as Props)} />
        </Suspense>
      </Boundary>
    );
  }
  return Object.assign(OnDemand, { preload: async () => void (await loaded()) });
}
