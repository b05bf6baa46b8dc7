import type { ComponentType } from "react";
import { Navigate, type RouteObject } from "react-router";
import { SignedIn } from "@/features/access/SignedIn";
import { HomePage } from "@/features/home/HomePage";
import { withMessages } from "@/messages";
import { Crash, CrashPage } from "./Crash";
import { NotFound } from "./NotFound";
import { Shell } from "./Shell";

/** Returns the loader of a page that is loaded on demand, with its messages. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => ({ Component: (await withMessages(load()))[name] });
}

/** The page of each address. All pages but the first one are loaded on demand, with their charts. */
export const ROUTES: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <CrashPage />,
    hydrateFallbackElement: <></>,
    children: [
      { path: "/shared", lazy: page(() => import("@/features/shares/SharedPage"), "SharedPage"), errorElement: <Crash /> },
      { path: "/x/:token", lazy: page(() => import("@/features/shares/SharedPage"), "SharedPage"), errorElement: <Crash /> },
      { path: "/sign-in", lazy: page(() => import("@/features/access/SignInPage"), "SignInPage"), errorElement: <Crash /> },
      { path: "/invitation", lazy: page(() => import("@/features/access/InvitationPage"), "InvitationPage"), errorElement: <Crash /> },
      {
        element: <SignedIn />,
        errorElement: <Crash />,
        children: [
          { path: "/", element: <HomePage /> },
          { path: "/studies", lazy: page(() => import("@/features/studies/StudiesPage"), "StudiesPage") },
          { path: "/library", lazy: page(() => import("@/features/library/LibraryPage"), "LibraryPage") },
          { path: "/new", lazy: page(() => import("@/features/experiments/NewPage"), "NewPage") },
          { path: "/runs/:runId", lazy: page(() => import("@/features/runs/RunPage"), "RunPage") },
          { path: "/runs/:runId/cells/:cellId", lazy: page(() => import("@/features/runs/CellPage"), "CellPage") },
          { path: "/runs/:runId/cells/:cellId/rounds/:round", lazy: page(() => import("@/features/trials/RoundPage"), "RoundPage") },
          { path: "/runs/:runId/trials/:trialId", lazy: page(() => import("@/features/trials/TrialPage"), "TrialPage") },
          { path: "/run-groups", lazy: page(() => import("@/features/groups/GroupsPage"), "GroupsPage") },
          { path: "/run-groups/:groupId", lazy: page(() => import("@/features/groups/GroupPage"), "GroupPage") },
          { path: "/hosts", lazy: page(() => import("@/features/hosts/HostsPage"), "HostsPage") },
          { path: "/hosts/:host", lazy: page(() => import("@/features/hosts/HostPage"), "HostPage") },
          { path: "/histories", lazy: page(() => import("@/features/history/HistoriesPage"), "HistoriesPage") },
          { path: "/experiments/:experimentId/history", lazy: page(() => import("@/features/history/HistoryPage"), "HistoryPage") },
          { path: "/schedules", lazy: page(() => import("@/features/schedules/SchedulesPage"), "SchedulesPage") },
          { path: "/schedules/:scheduleId", lazy: page(() => import("@/features/schedules/SchedulePage"), "SchedulePage") },
          { path: "/compare", lazy: page(() => import("@/features/compare/ComparePage"), "ComparePage") },
          { path: "/import", lazy: page(() => import("@/features/imports/ImportPage"), "ImportPage") },
          { path: "/links", lazy: page(() => import("@/features/shares/LinksPage"), "LinksPage") },
          { path: "/team", lazy: page(() => import("@/features/team/TeamPage"), "TeamPage") },
          { path: "/account", lazy: page(() => import("@/features/account/AccountPage"), "AccountPage") },
          { path: "/team/usage", lazy: page(() => import("@/features/team/UsagePage"), "UsagePage") },
          { path: "/team/webhooks", lazy: page(() => import("@/features/team/WebhooksPage"), "WebhooksPage") },
          { path: "/team/audit", lazy: page(() => import("@/features/team/AuditPage"), "AuditPage") },
          { path: "/device", lazy: page(() => import("@/features/device/DevicePage"), "DevicePage") },
          { path: "/administration", lazy: page(() => import("@/features/administration/TeamsPage"), "TeamsPage") },
          { path: "/administration/accounts", lazy: page(() => import("@/features/administration/AccountsPage"), "AccountsPage") },
          { path: "/administration/audit", lazy: page(() => import("@/features/administration/InstallationAuditPage"), "InstallationAuditPage") },
          { path: "/help", lazy: page(() => import("@/features/help/HelpPage"), "HelpPage") },
          { path: "/api-docs", lazy: page(() => import("@/features/apidocs/ApiDocsPage"), "ApiDocsPage") },
          { path: "/docs", element: <Navigate to="/api-docs" replace /> },
          { path: "*", element: <NotFound /> },
        ],
      },
    ],
  },
];
