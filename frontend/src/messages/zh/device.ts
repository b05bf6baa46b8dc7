import type en from "../en/device";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
