import type en from "../en/hosts";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
