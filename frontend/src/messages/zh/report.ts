import type en from "../en/report";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
