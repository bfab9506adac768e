"""IfQA: questions that suppose something had gone otherwise, answered in normal forms."""
