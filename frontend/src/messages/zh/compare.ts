import type en from "../en/compare";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
