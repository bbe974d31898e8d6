/** The memory's live facts (docs/memory.md). */
export const memory = `
kn_node(?Id, ?Type, ?Name) is nondet|The nodes of the memory that hold now.
kn_node(?Id, ?Type, ?Name, ?Namespace, ?From, ?To) is nondet|All nodes there ever were; To is inf where they hold on.
kn_edge(?Source, ?Type, ?Target) is nondet|The edges that hold now, between nodes that do.
kn_edge(?Source, ?Type, ?Target, ?Weight) is nondet|The edges that hold now, with their weight.
kn_edge(?Source, ?Type, ?Target, ?Weight, ?From, ?To) is nondet|All edges there ever were; To is inf where they hold on.
kn_experience(?Id, ?Type, ?Content) is nondet|The experiences that hold now.
kn_experience(?Id, ?Type, ?Content, ?Confidence, ?Namespace, ?From, ?To) is nondet|All experiences there ever were.
kn_relevance(?Id, ?Relevance) is nondet|How relevant an experience is now.
kn_description(?Node, ?Text) is nondet|The description of a node.
kn_context(?Experience, ?Text) is nondet|The context of an experience.
kn_tag(?Id, ?Tag) is nondet|A tag of a node or an experience.
kn_superseded(?Old, ?New, ?Since) is nondet|What was corrected by what.
kn_project(?Id, ?Name, ?Phase) is nondet|The projects.
kn_active_project(?Id) is semidet|The active project.
kn_goal(?Project, ?Text) is nondet|The goals of a project.
kn_log(?Project, ?Kind, ?Text, ?Time) is nondet|The log of a project; Kind is progress or failure.
kn_idea(?Id, ?Title, ?Status) is nondet|The ideas.
kn_idea(?Id, ?Title, ?Status, ?Category, ?Score) is nondet|The ideas; none where there is no category or score.
kn_now(-Time) is det|The time that counts as now.
`;
