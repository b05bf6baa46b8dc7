import type { RouteObject } from "react-router";
import { SignedIn } from "@/features/access/SignedIn";
import { StartPage } from "@/features/start/StartPage";
import { Crash } from "./Crash";
import { NotFound } from "./NotFound";
import { Shell } from "./Shell";

/** The page of each address. All pages but the start page are loaded on demand, with their charts. */
export const ROUTES: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    children: [
      { path: "/shared", lazy: async () => ({ Component: (await import("@/features/shares/SharedPage")).SharedPage }) },
      { path: "/x/:token", lazy: async () => ({ Component: (await import("@/features/shares/SharedPage")).SharedPage }) },
      { path: "/sign-in", lazy: async () => ({ Component: (await import("@/features/access/SignInPage")).SignInPage }) },
      { path: "/invitation", lazy: async () => ({ Component: (await import("@/features/access/InvitationPage")).InvitationPage }) },
      {
        element: <SignedIn />,
        children: [
          { path: "/", element: <StartPage /> },
          { path: "/new", lazy: async () => ({ Component: (await import("@/features/experiments/NewPage")).NewPage }) },
          { path: "/runs/:runId", lazy: async () => ({ Component: (await import("@/features/runs/RunPage")).RunPage }) },
          { path: "/runs/:runId/cells/:cellId", lazy: async () => ({ Component: (await import("@/features/runs/CellPage")).CellPage }) },
          { path: "/runs/:runId/cells/:cellId/rounds/:round", lazy: async () => ({ Component: (await import("@/features/trials/RoundPage")).RoundPage }) },
          { path: "/runs/:runId/trials/:trialId", lazy: async () => ({ Component: (await import("@/features/trials/TrialPage")).TrialPage }) },
          { path: "/run-groups", lazy: async () => ({ Component: (await import("@/features/groups/GroupsPage")).GroupsPage }) },
          { path: "/run-groups/:groupId", lazy: async () => ({ Component: (await import("@/features/groups/GroupPage")).GroupPage }) },
          { path: "/hosts", lazy: async () => ({ Component: (await import("@/features/hosts/HostsPage")).HostsPage }) },
          { path: "/hosts/:host", lazy: async () => ({ Component: (await import("@/features/hosts/HostPage")).HostPage }) },
          { path: "/compare", lazy: async () => ({ Component: (await import("@/features/compare/ComparePage")).ComparePage }) },
          { path: "/import", lazy: async () => ({ Component: (await import("@/features/imports/ImportPage")).ImportPage }) },
          { path: "/links", lazy: async () => ({ Component: (await import("@/features/shares/LinksPage")).LinksPage }) },
          { path: "/team", lazy: async () => ({ Component: (await import("@/features/team/TeamPage")).TeamPage }) },
          { path: "/account", lazy: async () => ({ Component: (await import("@/features/account/AccountPage")).AccountPage }) },
          { path: "/team/usage", lazy: async () => ({ Component: (await import("@/features/team/UsagePage")).UsagePage }) },
          { path: "/team/webhooks", lazy: async () => ({ Component: (await import("@/features/team/WebhooksPage")).WebhooksPage }) },
          { path: "/team/audit", lazy: async () => ({ Component: (await import("@/features/team/AuditPage")).AuditPage }) },
          { path: "/device", lazy: async () => ({ Component: (await import("@/features/device/DevicePage")).DevicePage }) },
          { path: "/administration", lazy: async () => ({ Component: (await import("@/features/administration/TeamsPage")).TeamsPage }) },
          { path: "/administration/accounts", lazy: async () => ({ Component: (await import("@/features/administration/AccountsPage")).AccountsPage }) },
          { path: "/administration/audit", lazy: async () => ({ Component: (await import("@/features/administration/InstallationAuditPage")).InstallationAuditPage }) },
          { path: "/help", lazy: async () => ({ Component: (await import("@/features/help/HelpPage")).HelpPage }) },
          { path: "*", element: <NotFound /> },
        ],
      },
    ],
  },
];
