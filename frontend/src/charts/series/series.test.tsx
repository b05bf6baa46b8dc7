import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cellSeries } from "@/testing/cellSeries";
import { SeriesCard } from "./SeriesCard";
import { seriesLines, trialName } from "./seriesLayout";

afterEach(cleanup);

function show(series = cellSeries(), onTrial?: (round: number) => void) {
  render(
    <MemoryRouter>
      <SeriesCard series={series} cell="same_container" {...(onTrial && { onTrial })} image={(role) => (format) => `/${format}/${role || "all"}`} />
    </MemoryRouter>,
  );
}

const TITLE = "Trials over time: same_container";

describe("seriesLines", () => {
  it("has the warm-up and the window of a rate as two lines that are not joined", () => {
    const [first] = seriesLines(cellSeries(), "rate", "all");
    expect(first?.parts.map(({ phase, points }) => [phase, points.map(({ t }) => t)])).toEqual([["warmUp", [1, 2]], ["window", [3, 4, 5, 6]]]);
  });

  it("has the CPU of the chosen role", () => {
    expect(seriesLines(cellSeries(), "cpu", "server").map(({ parts }) => parts[0]?.points[0]?.value)).toEqual([2, 2, 2]);
  });
});

describe("SeriesCard", () => {
  it("shades the warm-up with a word, and names it in the sentence and the legend", () => {
    show();
    expect(screen.getByRole("img", { name: /^3 trials of same_container over 6 seconds from the start of the load, of which the first 2 are warm-up/ })).toBeTruthy();
    expect(screen.getByText("warm-up of 2 s, in no figure")).toBeTruthy();
    expect(screen.getByText("trial that is in no figure")).toBeTruthy();
    expect(document.querySelectorAll(".warm-up rect")).toHaveLength(2);
  });

  it("lists the trials with why one is in no figure and which one was measured again", () => {
    show();
    const options = within(screen.getByRole("combobox", { name: "Emphasised trial" })).getAllByRole("option").map((each) => each.textContent);
    expect(options).toEqual(["All trials alike", "Round 1", "Round 2 (disturbed by the host: steal 12 %)", "Round 3 (measured again 2 times)"]);
    const [, second] = cellSeries().trials;
    expect(trialName({ ...second!, excluded: "fan failure" })).toBe("Round 2 (excluded by hand: fan failure)");
    expect(trialName({ ...second!, contaminated: [], evidence: "not_proven" })).toBe("Round 2 (path not proven)");
  });

  it("moves through seconds and trials by arrow keys, and opens the trial", () => {
    const onTrial = vi.fn();
    show(cellSeries(), onTrial);
    const marks = screen.getByRole("listbox", { name: `${TITLE}: marks, by arrow keys` });
    const active = () => document.getElementById(marks.getAttribute("aria-activedescendant") ?? "")?.textContent;
    fireEvent.focus(marks);
    expect(active()).toBe("Round 1, 1 s, warm-up: 500 1/s".replace("1 s", "1.0 s"));
    fireEvent.keyDown(marks, { key: "ArrowDown" });
    fireEvent.keyDown(marks, { key: "ArrowRight" });
    fireEvent.keyDown(marks, { key: "ArrowRight" });
    expect(active()).toBe("Round 2 (disturbed by the host: steal 12 %), 3.0 s: 2,003 1/s");
    fireEvent.keyDown(marks, { key: "Enter" });
    expect(onTrial).toHaveBeenCalledWith(2);
  });

  it("has the same figures as tables", () => {
    show();
    fireEvent.change(screen.getByRole("combobox", { name: "CPU of" }), { target: { value: "server" } });
    fireEvent.click(within(screen.getByRole("group", { name: `${TITLE}: chart or table` })).getByRole("button", { name: "Table" }));
    const rates = within(screen.getByRole("table", { name: "tps" })).getAllByRole("row");
    expect(rates).toHaveLength(1 + 3 * 6);
    expect(rates[1]?.textContent).toBe("Round 1Warm-up1.0500");
    expect(within(screen.getByRole("table", { name: "CPU of the server" })).getAllByRole("row")).toHaveLength(1 + 3 * 4);
  });

  it("says what is missing or reduced", () => {
    const trials = cellSeries().trials.map((trial) => ({ ...trial, warm_up: { t: [], values: [] }, intervals_per_point: 42 }));
    show(cellSeries({ trials, left_out: 10 }));
    expect(screen.getByText("The rate during the warm-up was not kept. Each point is the mean of up to 42 intervals. 10 later trials are left out.")).toBeTruthy();
  });

  it("has CPU alone where the tool reports no rate", () => {
    show(cellSeries({ rate: null, tool: "wrk" }));
    expect(screen.getByText(/^wrk reports no rate by interval/)).toBeTruthy();
    expect(document.querySelectorAll(".warm-up rect")).toHaveLength(1);
  });
});
