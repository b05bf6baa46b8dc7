import type en from "../en/history";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
