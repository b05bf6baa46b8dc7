import type en from "../en/home";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
