import type en from "../en/library";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
