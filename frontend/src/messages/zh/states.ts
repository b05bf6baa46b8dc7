import type en from "../en/states";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
