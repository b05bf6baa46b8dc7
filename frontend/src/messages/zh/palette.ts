import type en from "../en/palette";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
