import type en from "../en/help";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
