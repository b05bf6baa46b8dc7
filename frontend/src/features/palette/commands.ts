/** What the palette lists: pages, actions and what a search found. */

export interface Command {
  id: string;
  group: string;
  label: string;
  detail?: string;
  /** Further words by which it is found. */
  words?: string;
  keys?: string;
  run: () => void;
}

export interface Group {
  value: string;
  items: Command[];
}

/** Whether every word of the text is in the command. */
export function fits(command: Pick<Command, "label" | "detail" | "group" | "words">, text: string): boolean {
  const has = [command.label, command.detail, command.group, command.words].join(" ").toLowerCase();
  return text.toLowerCase().trim().split(/\s+/).every((word) => has.includes(word));
}

/** Returns the commands by their group, in the order in which groups appear first. */
export function grouped(commands: readonly Command[]): Group[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups].map(([value, items]) => ({ value, items }));
}
