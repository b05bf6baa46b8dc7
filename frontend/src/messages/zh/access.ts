import type en from "../en/access";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
