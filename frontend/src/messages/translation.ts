/** The key of a message without the suffix of its plural form. */
export type MessageKey<Catalog> = keyof Catalog extends infer Key ? (Key extends `${infer Stem}_${"one" | "other"}` ? Stem : Key & string) : never;

/** A catalogue in a language with one plural form: the keys of the English one, without those that end in "_one". */
export type Translation<Catalog> = { [Key in keyof Catalog as Key extends `${string}_one` ? never : Key]: string };
