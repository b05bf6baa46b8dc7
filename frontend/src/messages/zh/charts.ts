import type en from "../en/charts";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
