import { createContext, useContext, type RefObject } from "react";

/** The element into which popups are put: inside a modal dialog it is the dialog, because everything else is inert. */
export const PopupContainer = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

export function usePopupContainer(): RefObject<HTMLElement | null> | undefined {
  return useContext(PopupContainer);
}
