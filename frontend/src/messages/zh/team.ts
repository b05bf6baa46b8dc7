import type en from "../en/team";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
