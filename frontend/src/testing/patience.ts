// Tests wait for a condition. The limit is high, so that no test fails because the machine is busy.
import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 30_000 });
