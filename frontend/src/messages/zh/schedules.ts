import type en from "../en/schedules";
import type { Translation } from "../translation";

export default {} satisfies Translation<typeof en>;
