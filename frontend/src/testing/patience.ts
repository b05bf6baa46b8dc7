// A test waits for a condition, not for a time: on a busy machine a page may take long, and is right all the same.
import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 30_000 });
