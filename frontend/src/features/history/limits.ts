/** The server lists at most so many histories: those with the newest runs. tests/api hold that it is the server's number. */
export const MOST_HISTORIES = 200;
