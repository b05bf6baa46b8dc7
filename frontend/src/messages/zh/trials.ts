import type en from "../en/trials";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
