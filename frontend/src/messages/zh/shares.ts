import type en from "../en/shares";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
