import type en from "../en/result";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
