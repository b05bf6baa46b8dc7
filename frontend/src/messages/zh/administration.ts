import type en from "../en/administration";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
