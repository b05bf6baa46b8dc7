import type en from "../en/imports";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
