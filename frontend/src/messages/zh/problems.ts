import type en from "../en/problems";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
