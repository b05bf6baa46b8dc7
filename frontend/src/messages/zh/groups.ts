import type en from "../en/groups";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
