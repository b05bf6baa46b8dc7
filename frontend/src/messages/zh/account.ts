import type en from "../en/account";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
