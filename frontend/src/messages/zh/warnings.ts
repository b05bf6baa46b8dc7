import type en from "../en/warnings";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
