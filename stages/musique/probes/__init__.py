"""How far composed questions are answered without their steps."""
