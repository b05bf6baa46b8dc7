import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chartModel } from "@/testing/chartModel";
import { Contents } from "./Contents";
import { Section } from "./Section";
import { elementId, isOpenAtFirst, isPrinted, sectionAt, sectionsOf, type SectionId } from "./sections";
import { useFolding } from "./useFolding";
import { useLinkedSection } from "./useLinkedSection";

const IDS: readonly SectionId[] = ["cells", "hops"];
let observed: (id: string, isIntersecting: boolean) => void = () => undefined;
/** Of the sections. */
let near: (isIntersecting: boolean) => void = () => undefined;

beforeEach(() => {
  localStorage.clear();
  near = () => undefined;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: IntersectionObserverCallback, { rootMargin }: IntersectionObserverInit = {}) {
        if (rootMargin === "100% 0px") {
          const earlier = near;
          near = (isIntersecting) => (earlier(isIntersecting), callback([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver));
          return;
        }
        observed = (id, isIntersecting) => callback([{ target: document.getElementById(id)!, isIntersecting } as unknown as IntersectionObserverEntry], this as unknown as IntersectionObserver);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function narrow() {
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined }));
}

function Page({ late = false }) {
  const folding = useFolding();
  useLinkedSection(folding.show);
  return (
    <>
      <Contents sections={IDS.map((id) => ({ id, title: `About ${id}` }))} folding={folding} isAddressed onGo={folding.show} />
      {IDS.map((id) => (
        <Section key={id} id={id} title={`About ${id}`} folding={folding} late={late}>
          <p>content of {id}</p>
        </Section>
      ))}
      <output>{useLocation().hash}</output>
    </>
  );
}

function show(address = "/", late = false) {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Page late={late} />
    </MemoryRouter>,
  );
}

const details = (id: SectionId) => document.getElementById(elementId(id)) as HTMLDetailsElement;
function toggle(id: SectionId) {
  details(id).open = !details(id).open;
  fireEvent(details(id), new Event("toggle"));
}

describe("sections", () => {
  it("are those with content, in reading order", () => {
    expect(sectionsOf(chartModel("all"), false, false)).toEqual(["verdict", "findings", "cells", "table", "pivot", "checks", "environment"]);
    expect(sectionsOf(chartModel("all"), true, true)).toEqual(expect.arrayContaining(["panels", "series"]));
    expect(sectionsOf({ ...chartModel("all"), axes: [] }, true, true)).not.toContain("cells");
  });

  it("begin folded where they are requested for one cell of many, and such a section is not printed", () => {
    expect([isOpenAtFirst("series", false), isOpenAtFirst("panels", false), isOpenAtFirst("cells", true)]).toEqual([false, true, true]);
    expect([isPrinted("series"), isPrinted("panels")]).toEqual([false, true]);
  });

  it("are named by fragments", () => {
    expect(sectionAt("#result-hops")).toBe("hops");
    expect(sectionAt("#a-token-of-a-share")).toBeNull();
  });

  it("are folded at first on a narrow screen, but for the first three", () => {
    expect(["verdict", "findings", "cells", "table", "hops"].map((id) => isOpenAtFirst(id as SectionId, true))).toEqual([true, true, true, false, false]);
    expect(isOpenAtFirst("hops", false)).toBe(true);
  });

  it("fold, and stay folded in this browser", () => {
    show();
    expect(details("hops").open).toBe(true);
    toggle("hops");
    cleanup();
    show();
    expect(details("hops").open).toBe(false);
    expect(screen.queryByText("content of hops")).toBeNull();
    expect(details("cells").open).toBe(true);
  });

  it("open for a link, on a narrow screen too", () => {
    narrow();
    show("/runs/r#result-hops");
    expect(details("hops").open).toBe(true);
    expect(screen.getByText("content of hops")).toBeTruthy();
  });

  it("open for a link although they were folded before", () => {
    show();
    toggle("hops");
    cleanup();
    show("/runs/r#result-hops");
    expect(details("hops").open).toBe(true);
  });

  it("are all open on paper, and folded again afterwards", () => {
    narrow();
    show();
    expect(details("hops").open).toBe(false);
    act(() => void window.dispatchEvent(new Event("beforeprint")));
    expect(screen.getByText("content of hops")).toBeTruthy();
    expect(details("hops").open).toBe(true);
    act(() => void window.dispatchEvent(new Event("afterprint")));
    expect(details("hops").open).toBe(false);
  });
});

describe("the contents", () => {
  it("mark the section that is being read", () => {
    show();
    const current = () => screen.getAllByRole("link").filter((link) => link.hasAttribute("aria-current")).map((link) => link.textContent);
    expect(current()).toEqual(["About cells"]);
    act(() => {
      observed(elementId("cells"), false);
      observed(elementId("hops"), true);
    });
    expect(current()).toEqual(["About hops"]);
  });

  it("open a folded section, and all of them", () => {
    show();
    toggle("hops");
    const contents = screen.getByRole("navigation", { name: "Contents" });
    fireEvent.click(within(contents).getByRole("link", { name: "About hops" }));
    expect(details("hops").open).toBe(true);
    fireEvent.click(within(contents).getByRole("button", { name: "Fold all sections" }));
    expect(IDS.map((id) => details(id).open)).toEqual([false, false]);
    fireEvent.click(within(contents).getByRole("button", { name: "Open all sections" }));
    expect(IDS.map((id) => details(id).open)).toEqual([true, true]);
  });
});

describe("a section of a large result", () => {
  it("is rendered when it is nearly in the visible part, and stays", () => {
    show("/", true);
    expect(screen.queryByText("content of hops")).toBeNull();
    act(() => near(true));
    expect(screen.queryByText("content of hops")).not.toBeNull();
    act(() => near(false));
    expect(screen.queryByText("content of hops")).not.toBeNull();
  });

  it("is rendered for print", () => {
    show("/", true);
    act(() => void window.dispatchEvent(new Event("beforeprint")));
    expect(screen.queryByText("content of cells")).not.toBeNull();
    expect(screen.queryByText("content of hops")).not.toBeNull();
  });
});
