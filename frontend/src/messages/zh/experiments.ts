import type en from "../en/experiments";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
