/**
 * The matrix of a run outside of React: an event changes one entry, and only its row is rendered again.
 *
 * A matrix of 500 cells and 10 rounds in a query's cache would be compared or copied with every event.
 */
import type { Matrix, MatrixCell, TrialEvent } from "@/api/generated";
import { codeOf } from "./matrixStates";

export interface MatrixRow {
  cell: MatrixCell;
  /** One character for each round; see `matrixStates`. */
  states: string;
  rates: readonly (number | null)[];
}

const OPEN = "qr";
/** No trial of this cell in this round. */
const NONE = ".";

export class MatrixStore {
  private rows: readonly MatrixRow[] = [];
  private index = new Map<string, number>();
  private readonly ofRow = new Map<number, Set<() => void>>();
  private readonly ofAll = new Set<() => void>();
  private tally = new Map<string, number>();
  rounds = 0;
  /** Changes with every entry, for those who show the matrix as a whole. */
  version = 0;

  /** Replaces the matrix; the entries that events changed meanwhile remain. */
  load(matrix: Matrix): void {
    this.rows = matrix.cells.map((cell) => newer(this.rows[this.index.get(cell.id) ?? -1], cell));
    this.index = new Map(matrix.cells.map(({ id }, at) => [id, at]));
    this.rounds = matrix.rounds;
    this.tally = new Map();
    for (const { states } of this.rows) for (const code of states) this.count(code, 1);
    this.ofRow.forEach((listeners) => listeners.forEach((listener) => listener()));
    this.changed();
  }

  /** Applies a trial's event. Replayed events are older than the matrix: an ended trial is not changed. */
  apply(event: TrialEvent): void {
    const at = this.index.get(event.cell_id);
    if (at === undefined) return;
    if (event.round > this.rounds) this.lengthen(event.round);
    const row = this.rows[at];
    const known = row?.states[event.round - 1];
    if (!row || known === undefined || !(OPEN + NONE).includes(known)) return;
    const code = codeOf(event);
    if (code === known) return;
    const rate = event.quality === "invalid" ? null : (event.metrics?.[row.cell.metric] ?? null);
    this.count(known, -1);
    this.count(code, 1);
    const next = { cell: row.cell, states: replaced(row.states, event.round - 1, code), rates: row.rates.with(event.round - 1, rate) };
    (this.rows as MatrixRow[])[at] = next;
    this.ofRow.get(at)?.forEach((listener) => listener());
    this.changed();
  }

  get size(): number {
    return this.rows.length;
  }

  row(at: number): MatrixRow | undefined {
    return this.rows[at];
  }

  cell(id: string): MatrixCell | undefined {
    const at = this.index.get(id);
    return at === undefined ? undefined : this.rows[at]?.cell;
  }

  /** The number of trials in the state of this character. */
  counted(code: string): number {
    return this.tally.get(code) ?? 0;
  }

  /** The cells with a trial that the host disturbed or that failed; an A/A duplicate comes with its baseline. */
  lost(): ReadonlySet<string> {
    return new Set(this.rows.flatMap(({ cell: { id }, states }) => (/[cf]/.test(states) && !id.endsWith("-aa") ? [id] : [])));
  }

  /** The row and the round (from 0) of the first running trial. */
  running(): { row: number; round: number } | null {
    if (this.counted("r") === 0) return null;
    const row = this.rows.findIndex(({ states }) => states.includes("r"));
    return row < 0 ? null : { row, round: this.rows[row]?.states.indexOf("r") ?? 0 };
  }

  subscribeRow(at: number, listener: () => void): () => void {
    const listeners = this.ofRow.get(at) ?? new Set();
    this.ofRow.set(at, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.ofAll.add(listener);
    return () => this.ofAll.delete(listener);
  };

  readonly getVersion = (): number => this.version;

  /** Adds make-up rounds, in which only some cells have a trial. */
  private lengthen(rounds: number): void {
    const more = rounds - this.rounds;
    this.rows = this.rows.map(({ cell, states, rates }) => ({ cell, states: states + NONE.repeat(more), rates: [...rates, ...Array<null>(more).fill(null)] }));
    this.count(NONE, more * this.rows.length);
    this.rounds = rounds;
    this.ofRow.forEach((listeners) => listeners.forEach((listener) => listener()));
  }

  private count(code: string, change: number): void {
    this.tally.set(code, (this.tally.get(code) ?? 0) + change);
  }

  private changed(): void {
    this.version += 1;
    this.ofAll.forEach((listener) => listener());
  }
}

/** A cell's row from the server, with the trials that had ended for this page already: inside a measured window the server sends an older matrix. */
function newer(known: MatrixRow | undefined, cell: MatrixCell): MatrixRow {
  const row = { cell, states: cell.states, rates: cell.rates };
  if (known?.states.length !== row.states.length) return row;
  const isNewer = (round: number) => OPEN.includes(row.states[round] ?? "") && !OPEN.includes(known.states[round] ?? "");
  const states = [...row.states].map((code, round) => (isNewer(round) ? (known.states[round] ?? code) : code)).join("");
  return { cell, states, rates: row.rates.map((rate, round) => (isNewer(round) ? (known.rates[round] ?? null) : rate)) };
}

function replaced(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1);
}
