import type en from "../en/runs";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
